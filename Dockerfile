# Muster, installed in Debian 12: docker build -t muster . && docker run --rm -it -v "$PWD":/work muster
FROM debian:12
COPY . /opt/muster
RUN cd /opt/muster && ./run install /usr/local && rm -rf build
WORKDIR /work
