def prepare(report):
    pass
