package dev.outpost.runtime.sources.s3;

import dev.outpost.channel.Backoff;
import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.runtime.source.StoreFile;
import java.io.EOFException;
import java.io.IOException;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** The bytes of an object in the listed version. Each read is a separate request. */
final class S3Bytes implements ReadableBytes {
    private static final int PRECONDITION_FAILED = 412;
    private static final int ATTEMPTS = 4;

    private final S3AsyncClient client;
    private final S3Location location;
    private final String key;
    private final StoreFile file;

    S3Bytes(S3AsyncClient client, S3Location location, String key, StoreFile file) {
        this.client = client;
        this.location = location;
        this.key = key;
        this.file = file;
    }

    @Override
    public String name() {
        return location.uri(key);
    }

    @Override
    public long size() {
        return file.bytes();
    }

    @Override
    public void read(long position, byte[] target, int at, int length) throws IOException {
        if (length == 0) {
            return;
        }
        String range = "bytes=" + position + "-" + (position + length - 1);
        Backoff.Pauses pauses = S3Calls.BACKOFF.begin();
        for (int attempt = 1; ; attempt++) {
            int got = part(range, target, at, length);
            if (got == length) {
                return;
            }
            if (attempt == ATTEMPTS) {
                throw new EOFException(name() + ": " + length + " bytes were requested for " + range + ", got " + got
                        + ", asked " + attempt + " times");
            }
            S3Calls.sleep(pauses);
        }
    }

    private int part(String range, byte[] target, int at, int length) throws IOException {
        try {
            return S3Calls.await(
                    name() + ", " + range,
                    () -> client.getObject(
                            request -> request.bucket(location.bucket())
                                    .key(key)
                                    .range(range)
                                    .ifMatch(file.version()),
                            new PartInto(target, at, length)));
        } catch (S3Calls.StatusException failure) {
            throw failure.status() == PRECONDITION_FAILED
                    ? new IOException(name() + " was changed after the source was opened")
                    : failure;
        }
    }
}
