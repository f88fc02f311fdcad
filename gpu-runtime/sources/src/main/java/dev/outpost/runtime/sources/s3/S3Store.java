package dev.outpost.runtime.sources.s3;

import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.runtime.source.SourceNotFoundException;
import dev.outpost.runtime.source.Store;
import dev.outpost.runtime.source.StoreFile;
import dev.outpost.runtime.source.WritableBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Reads and writes objects below a prefix of a bucket. The ETag identifies the version of an object. */
final class S3Store implements Store {
    private static final int MAX_OBJECTS = 20_000;
    private static final int NOT_FOUND = 404;

    private final S3AsyncClient client;

    S3Store(S3AsyncClient client) {
        this.client = client;
    }

    @Override
    public List<StoreFile> list(String uri) throws IOException {
        S3Location location = S3Location.of(uri);
        List<StoreFile> files = new ArrayList<>();
        String next = null;
        do {
            String token = next;
            ListObjectsV2Response page = S3Calls.await(
                    "open: " + uri,
                    () -> client.listObjectsV2(request -> request.bucket(location.bucket())
                            .prefix(location.folder())
                            .continuationToken(token)));
            for (S3Object object : page.contents()) {
                add(object, location, files);
            }
            next = Boolean.TRUE.equals(page.isTruncated()) ? page.nextContinuationToken() : null;
        } while (next != null && files.size() < MAX_OBJECTS);
        return files.isEmpty() ? List.of(single(uri, location)) : files;
    }

    private static void add(S3Object object, S3Location location, List<StoreFile> files) {
        String path = object.key().substring(location.folder().length());
        // S3 consoles create objects that represent folders.
        if (!path.isEmpty() && !path.endsWith("/")) {
            files.add(new StoreFile(path, object.size(), object.eTag()));
        }
    }

    /** Returns the object at the location itself, if no objects are below it. */
    private StoreFile single(String uri, S3Location location) throws IOException {
        try {
            HeadObjectResponse head = S3Calls.await(
                    "open: " + uri,
                    () -> client.headObject(
                            request -> request.bucket(location.bucket()).key(location.prefix())));
            String name = location.prefix().substring(location.prefix().lastIndexOf('/') + 1);
            return new StoreFile(name, head.contentLength(), head.eTag());
        } catch (S3Calls.StatusException failure) {
            throw failure.status() == NOT_FOUND ? new SourceNotFoundException(uri) : failure;
        }
    }

    @Override
    public ReadableBytes open(String uri, StoreFile file) throws IOException {
        S3Location location = S3Location.of(uri);
        boolean isItself =
                location.prefix().equals(file.path()) || location.prefix().endsWith("/" + file.path());
        String below = location.folder() + file.path();
        return new S3Bytes(client, location, isItself ? location.prefix() : below, file);
    }

    @Override
    public WritableBytes create(String uri, String path) throws IOException {
        S3Location location = S3Location.of(uri);
        return new S3Upload(client, location, location.folder() + path);
    }

    @Override
    public void delete(String uri, String path) throws IOException {
        S3Location location = S3Location.of(uri);
        String key = location.folder() + path;
        S3Calls.await(
                "delete: " + location.uri(key),
                () -> client.deleteObject(
                        request -> request.bucket(location.bucket()).key(key)));
    }

    @Override
    public void close() {
        client.close();
    }
}
