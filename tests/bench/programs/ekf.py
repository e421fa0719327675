"""A cart finds its way by beacons: extended Kalman filter, matrices of 2x2 to 4x4 only."""

import argparse
import math

import numpy as np

HOT = ["moved", "slope_of_motion", "Filter.predict", "Filter.correct", "Sensor.look", "folded"]
SMALL = ["--steps", "25"]

PERIOD = 0.05


def folded(angle):
    """Return the angle between minus pi and pi."""
    while angle > math.pi:
        angle -= 2.0 * math.pi
    while angle < -math.pi:
        angle += 2.0 * math.pi
    return angle


def moved(state, throttle, steering):
    """State: east, north, heading, speed."""
    east, north, heading, speed = state
    return np.array(
        [
            east + PERIOD * speed * np.cos(heading),
            north + PERIOD * speed * np.sin(heading),
            folded(heading + PERIOD * speed * np.tan(steering) / 1.2),
            speed + PERIOD * throttle,
        ]
    )


def slope_of_motion(state, steering):
    heading, speed = state[2], state[3]
    slope = np.eye(4)
    slope[0, 2] = -PERIOD * speed * np.sin(heading)
    slope[0, 3] = PERIOD * np.cos(heading)
    slope[1, 2] = PERIOD * speed * np.cos(heading)
    slope[1, 3] = PERIOD * np.sin(heading)
    slope[2, 3] = PERIOD * np.tan(steering) / 1.2
    return slope


class Sensor:
    """Sees beacons within its reach, with noise."""

    def __init__(self, beacons, reach, rng):
        self.beacons = beacons
        self.reach = reach
        self.rng = rng
        self.deviation = np.array([0.3, 0.03])

    def look(self, state):
        found = []
        for number, beacon in enumerate(self.beacons):
            arm = beacon - state[:2]
            distance = np.sqrt(arm @ arm)
            if distance > self.reach:
                continue
            bearing = math.atan2(arm[1], arm[0]) - state[2]
            noise = self.deviation * self.rng.standard_normal(2)
            found.append((number, np.array([distance, folded(bearing)]) + noise))
        return found


class Filter:
    """State and covariance."""

    def __init__(self, state, beacons):
        self.state = state.copy()
        self.spread = np.diag([0.5, 0.5, 0.1, 0.2])
        self.motion_noise = np.diag([0.01, 0.01, 0.005, 0.05]) ** 2
        self.sensor_noise = np.diag([0.3, 0.03]) ** 2
        self.beacons = beacons
        self.refused = 0

    def predict(self, throttle, steering):
        slope = slope_of_motion(self.state, steering)
        self.state = moved(self.state, throttle, steering)
        self.spread = slope @ self.spread @ slope.T + self.motion_noise

    def correct(self, number, measured):
        arm = self.beacons[number] - self.state[:2]
        squared = arm @ arm
        distance = np.sqrt(squared)
        expected = np.array([distance, folded(math.atan2(arm[1], arm[0]) - self.state[2])])
        slope = np.zeros((2, 4))
        slope[0, :2] = -arm / distance
        slope[1, 0] = arm[1] / squared
        slope[1, 1] = -arm[0] / squared
        slope[1, 2] = -1.0
        surprise = measured - expected
        surprise[1] = folded(surprise[1])
        expected_spread = slope @ self.spread @ slope.T + self.sensor_noise
        inverse = np.linalg.inv(expected_spread)
        if surprise @ inverse @ surprise > 25.0:
            self.refused += 1
            return
        gain = self.spread @ slope.T @ inverse
        self.state = self.state + gain @ surprise
        self.state[2] = folded(self.state[2])
        left = np.eye(4) - gain @ slope
        self.spread = left @ self.spread @ left.T + gain @ self.sensor_noise @ gain.T


def driver(step):
    """Return the commands to the cart: throttle and steering."""
    throttle = 0.4 if step < 60 else 0.02 * math.sin(0.01 * step)
    return throttle, 0.03 * math.sin(0.004 * step) + 0.12


def main():
    parser = argparse.ArgumentParser(description="a cart and beacons")
    parser.add_argument("--steps", type=int, default=16000)
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--save")
    args = parser.parse_args()

    rng = np.random.default_rng(args.seed)
    beacons = rng.uniform(-25.0, 25.0, (12, 2))
    truth = np.array([0.0, 0.0, 0.3, 0.1])
    sensor = Sensor(beacons, 22.0, rng)
    cart = Filter(truth + np.array([0.4, -0.3, 0.05, 0.0]), beacons)
    errors, widths = [], []
    for step in range(args.steps):
        throttle, steering = driver(step)
        truth = moved(truth, throttle, steering)
        cart.predict(
            throttle + 0.05 * rng.standard_normal(), steering + 0.01 * rng.standard_normal()
        )
        if step % 4 == 0:
            for number, measured in sensor.look(truth):
                cart.correct(number, measured)
        errors.append(np.linalg.norm(cart.state[:2] - truth[:2]))
        widths.append(np.trace(cart.spread[:2, :2]))
        if (step + 1) % 4000 == 0:
            values = np.linalg.eigvalsh(cart.spread[:2, :2])
            print(f"{step + 1:5d}: off by {errors[-1]:.9f}, axes {np.sqrt(values).round(9)}")

    print(f"mean error {np.mean(errors):.9f}, worst {np.max(errors):.9f}, refused {cart.refused}")
    print("state", cart.state.round(9))
    if args.save:
        np.savez(args.save, state=cart.state, spread=cart.spread, errors=errors, widths=widths)


if __name__ == "__main__":
    main()
