package dev.outpost.runtime.sources.s3;

import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.runtime.source.StoreFile;
import java.io.EOFException;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The bytes of an object, each part asked for by itself, in the version that was listed. */
final class S3Bytes implements ReadableBytes {
    private static final int PRECONDITION_FAILED = 412;
    private static final int ATTEMPTS = 4;

    private final S3AsyncClient client;
    private final S3Location place;
    private final String key;
    private final StoreFile file;

    S3Bytes(S3AsyncClient client, S3Location place, String key, StoreFile file) {
        this.client = client;
        this.place = place;
        this.key = key;
        this.file = file;
    }

    @Override
    public String name() {
        return place.uri(key);
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
        for (int attempt = 1; ; attempt++) {
            byte[] part = part(range);
            if (part.length == length) {
                System.arraycopy(part, 0, target, at, length);
                return;
            }
            if (attempt == ATTEMPTS) {
                throw new EOFException(name() + ": " + length + " bytes were wanted for " + range + ", got "
                        + part.length + ", asked " + attempt + " times");
            }
            S3Calls.pause(attempt);
        }
    }

    private byte[] part(String range) throws IOException {
        try {
            ResponseBytes<GetObjectResponse> part = S3Calls.await(
                    name() + ", " + range,
                    () -> client.getObject(
                            request -> request.bucket(place.bucket())
                                    .key(key)
                                    .range(range)
                                    .ifMatch(file.version()),
                            AsyncResponseTransformer.toBytes()));
            return part.asByteArrayUnsafe();
        } catch (S3Calls.StatusException refused) {
            throw refused.status() == PRECONDITION_FAILED
                    ? new IOException(name() + " was changed after the source was opened")
                    : refused;
        }
    }
}
