# pipeline in a container, see docs/container.md. The engine needs glibc: both stages are of the same Debian.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY cmd cmd
COPY extract extract
COPY transform transform
COPY load load
COPY sql sql
COPY pipelines pipelines
# What 'pipeline version' says: .git is not in here for the toolchain to ask.
ARG VERSION=dev
ARG COMMIT=
ARG COMMIT_DATE=
RUN CGO_ENABLED=1 go build -trimpath -ldflags "-s -w -X main.version=${VERSION} -X main.commit=${COMMIT} -X main.commitDate=${COMMIT_DATE}" -o /out/pipeline ./cmd/pipeline

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libstdc++6 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin pipeline \
 && install -d -o pipeline -g pipeline -m 0700 /data
COPY --from=build /out/pipeline /usr/local/bin/pipeline
# A name for the source: a container's host name is another one each time. There is no git in here, and no repository.
ENV PIPELINE_GIT=false HOME=/data XDG_DATA_HOME=/data XDG_CONFIG_HOME=/data \
    PIPELINE_SOURCE=cursor=/cursor PIPELINE_WAREHOUSE=/data/warehouse.duckdb PIPELINE_PARQUET=/data/parquet
USER 10001
WORKDIR /data
VOLUME /data
HEALTHCHECK --interval=10m --timeout=1m --start-period=15m CMD pipeline status --max-age 26h >/dev/null || exit 1
ENTRYPOINT ["pipeline"]
CMD ["serve"]
