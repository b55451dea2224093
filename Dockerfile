# SPDX-License-Identifier: GPL-2.0-only
#
# An image in which ./rails is ready: the packages that setup/packages.sh names, then what every command does first.
#
#   docker build -t rails .
#   docker run --rm -v "$PWD/results:/rails/results" rails run experiments/quickstart.yaml

FROM debian:bookworm

RUN apt-get update && apt-get install -y --no-install-recommends \
    bzip2 \
    cmake \
    g++ \
    libboost-dev \
    libcli11-dev \
    libgcrypt20-dev \
    libgtest-dev \
    libjs-jquery \
    libjs-jquery-datatables \
    liblpsolve55-dev \
    libsqlite3-dev \
    libyaml-cpp-dev \
    lp-solve \
    ninja-build \
    nlohmann-json3-dev \
    python3 \
    python3-matplotlib \
    python3-plotly \
    python3-scipy

COPY . /rails
WORKDIR /rails
ENV XDG_CACHE_HOME=/var/cache
RUN ./rails setup

ENTRYPOINT ["./rails"]
CMD ["help"]
