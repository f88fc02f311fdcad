package dev.outpost.runtime.sources.s3;

import dev.outpost.runtime.source.WritableBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * An object that is uploaded in parts. It is visible only after all parts are complete. A small object is uploaded in
 * one request.
 */
final class S3Upload implements WritableBytes {
    /** The size of a part. S3 allows 10,000 parts of 5 MiB or more. */
    private static final int PART_BYTES = 16 << 20;

    private final S3AsyncClient client;
    private final S3Location location;
    private final String key;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private final List<CompletedPart> parts = new ArrayList<>();
    /** The id of the multipart upload; null before the first part. */
    private String upload;

    private boolean isCommitted;

    S3Upload(S3AsyncClient client, S3Location location, String key) {
        this.client = client;
        this.location = location;
        this.key = key;
    }

    private String what() {
        return "save: " + location.uri(key);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        held.writeBytes(bytes);
        if (held.size() >= PART_BYTES) {
            send();
        }
    }

    private void send() throws IOException {
        if (upload == null) {
            upload = S3Calls.await(
                            what(),
                            () -> client.createMultipartUpload(
                                    request -> request.bucket(location.bucket()).key(key)))
                    .uploadId();
        }
        int number = parts.size() + 1;
        byte[] part = held.toByteArray();
        held.reset();
        String tag = S3Calls.await(
                        what() + ", part " + number,
                        () -> client.uploadPart(
                                request -> request.bucket(location.bucket())
                                        .key(key)
                                        .uploadId(upload)
                                        .partNumber(number),
                                AsyncRequestBody.fromBytes(part)))
                .eTag();
        parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
    }

    @Override
    public void commit() throws IOException {
        if (upload == null) {
            byte[] all = held.toByteArray();
            S3Calls.await(
                    what(),
                    () -> client.putObject(
                            request -> request.bucket(location.bucket()).key(key), AsyncRequestBody.fromBytes(all)));
        } else {
            if (held.size() > 0) {
                send();
            }
            S3Calls.await(
                    what(),
                    () -> client.completeMultipartUpload(request -> request.bucket(location.bucket())
                            .key(key)
                            .uploadId(upload)
                            .multipartUpload(all -> all.parts(parts))));
        }
        isCommitted = true;
    }

    /** Aborts the upload, because stores charge for uploaded parts. */
    @Override
    public void close() throws IOException {
        if (!isCommitted && upload != null) {
            S3Calls.await(
                    what(),
                    () -> client.abortMultipartUpload(request ->
                            request.bucket(location.bucket()).key(key).uploadId(upload)));
        }
    }
}
