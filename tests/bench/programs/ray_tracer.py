"""A ray tracer whose vectors are objects of three arrays, and whose shapes are subclasses."""

import argparse
import math
from abc import ABC, abstractmethod

import numpy as np

HOT = ["Vec3.dot", "Vec3.__add__", "Vec3.__mul__", "Vec3.unit", "Sphere.meet", "Floor.meet",
       "Shape.shade", "trace"]  # fmt: skip
SMALL = ["--width", "24", "--height", "16", "--frames", "2"]

FAR = 1.0e30


class Vec3:
    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z

    def __add__(self, other):
        return Vec3(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other):
        return Vec3(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, other):
        if isinstance(other, Vec3):
            return Vec3(self.x * other.x, self.y * other.y, self.z * other.z)
        return Vec3(self.x * other, self.y * other, self.z * other)

    __rmul__ = __mul__

    def __neg__(self):
        return Vec3(-self.x, -self.y, -self.z)

    def dot(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z

    def unit(self):
        length = np.sqrt(self.dot(self))
        return self * (1.0 / np.where(length == 0.0, 1.0, length))

    def picked(self, mask):
        return Vec3(*(part if np.isscalar(part) else part[mask] for part in self.parts()))

    def put(self, mask, shape):
        """Spread over all pixels, zero elsewhere."""
        full = [np.zeros(shape) for _ in range(3)]
        for whole, part in zip(full, self.parts()):
            whole[mask] = part
        return Vec3(*full)

    def parts(self):
        return self.x, self.y, self.z


class Shape(ABC):
    def __init__(self, colour, mirror):
        self.colour = colour
        self.mirror = mirror

    @abstractmethod
    def meet(self, origin, direction):
        """Return the distance that each ray goes until it meets the shape."""

    @abstractmethod
    def normal(self, point):
        """Return the normal of the surface."""

    def paint(self, point):
        return self.colour

    def shade(self, scene, origin, direction, distance, depth):
        point = origin + direction * distance
        normal = self.normal(point)
        to_light = (scene.light - point).unit()
        to_eye = (scene.eye - point).unit()
        lifted = point + normal * 1e-4
        blocked = [other.meet(lifted, to_light) for other in scene.shapes]
        own = blocked[scene.shapes.index(self)]
        free = own <= np.minimum.reduce(blocked)
        light = np.maximum(normal.dot(to_light), 0.0)
        colour = Vec3(0.05, 0.05, 0.05) + self.paint(point) * (light * free)
        if depth < 2:
            mirrored = (direction - normal * (2.0 * direction.dot(normal))).unit()
            colour = colour + trace(scene, lifted, mirrored, depth + 1) * self.mirror
        shine = np.clip(normal.dot((to_light + to_eye).unit()), 0.0, 1.0)
        return colour + Vec3(1.0, 1.0, 1.0) * (np.power(shine, 40) * free)


class Sphere(Shape):
    def __init__(self, centre, radius, colour, mirror=0.4):
        super().__init__(colour, mirror)
        self.centre = centre
        self.radius = radius

    def meet(self, origin, direction):
        away = origin - self.centre
        b = 2.0 * direction.dot(away)
        c = away.dot(away) - self.radius**2
        inside = b * b - 4.0 * c
        root = np.sqrt(np.maximum(inside, 0.0))
        near, far = 0.5 * (-b - root), 0.5 * (-b + root)
        distance = np.where((near > 0.0) & (near < far), near, far)
        return np.where((inside > 0.0) & (distance > 0.0), distance, FAR)

    def normal(self, point):
        return (point - self.centre) * (1.0 / self.radius)


class Floor(Shape):
    """A chequered plane."""

    def __init__(self, height, colour, mirror=0.2):
        super().__init__(colour, mirror)
        self.height = height

    def meet(self, origin, direction):
        slope = np.where(np.abs(direction.y) < 1e-9, 1e-9, direction.y)
        distance = (self.height - origin.y) / slope
        return np.where(distance > 1e-6, np.minimum(distance, FAR), FAR)

    def normal(self, point):
        return Vec3(0.0 * point.x, 0.0 * point.y + 1.0, 0.0 * point.z)

    def paint(self, point):
        chequer = (np.floor(point.x * 2.0) + np.floor(point.z * 2.0)) % 2 == 0
        return self.colour * np.where(chequer, 1.0, 0.35)


class Scene:
    def __init__(self, shapes, light, eye):
        self.shapes = shapes
        self.light = light
        self.eye = eye


def trace(scene, origin, direction, depth):
    distances = [shape.meet(origin, direction) for shape in scene.shapes]
    nearest = np.minimum.reduce(distances)
    colour = Vec3(np.zeros_like(nearest), np.zeros_like(nearest), np.zeros_like(nearest))
    for shape, distance in zip(scene.shapes, distances):
        hit = (nearest < FAR) & (distance == nearest)
        if np.any(hit):
            seen = shape.shade(
                scene, origin.picked(hit), direction.picked(hit), distance[hit], depth
            )
            colour = colour + seen.put(hit, nearest.shape)
    return colour


def picture(scene, width, height):
    aspect = width / height
    x = np.tile(np.linspace(-1, 1, width), height)
    y = np.repeat(np.linspace(1 / aspect + 0.2, -1 / aspect + 0.2, height), width)
    pixels = Vec3(x, y, np.zeros_like(x))
    return trace(scene, scene.eye, (pixels - scene.eye).unit(), 0)


def main():
    parser = argparse.ArgumentParser(description="spheres over a chequered floor")
    parser.add_argument("--width", type=int, default=200)
    parser.add_argument("--height", type=int, default=130)
    parser.add_argument("--frames", type=int, default=48)
    parser.add_argument("--save")
    args = parser.parse_args()

    shapes = [
        Sphere(Vec3(0.7, 0.1, 0.9), 0.6, Vec3(0.1, 0.2, 0.9)),
        Sphere(Vec3(-0.6, 0.1, 2.1), 0.6, Vec3(0.6, 0.2, 0.5)),
        Sphere(Vec3(-2.6, 0.1, 3.4), 0.6, Vec3(0.9, 0.5, 0.2)),
        Floor(-0.5, Vec3(0.7, 0.7, 0.75)),
    ]
    frames = []
    for k in range(args.frames):
        angle = 2.0 * math.pi * k / max(args.frames, 1)
        light = Vec3(5.0 * math.cos(angle), 5.0, -6.0 + 3.0 * math.sin(angle))
        image = picture(Scene(shapes, light, Vec3(0.0, 0.3, -1.0)), args.width, args.height)
        rgb = np.stack([np.clip(part, 0.0, 1.0) for part in image.parts()], axis=-1)
        frames.append((255.0 * rgb).astype(np.uint8))
        if k % 8 == 0:
            print(f"frame {k}: mean colour {rgb.mean(axis=0).round(9)}, brightest {rgb.max():.9f}")
    if args.save:
        np.savez(args.save, frames=np.array(frames), last=rgb)


if __name__ == "__main__":
    main()
