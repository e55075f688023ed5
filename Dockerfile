# The command with the extra `report`: docker build -t counterbench . && docker run counterbench doctor --judge pixels
FROM python:3.13-slim AS build
COPY . /src
RUN pip wheel --no-cache-dir --wheel-dir /wheels '/src[report]'

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels 'counterbench[report]'
WORKDIR /work
ENTRYPOINT ["counterbench"]
