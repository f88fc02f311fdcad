package dev.outpost.runtime.sources.s3;

import dev.outpost.protocol.files.ReadableBytes;
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

/** Objects below a prefix of a bucket. An object is the version of its ETag. */
final class S3Store implements Store {
    private static final int MOST_OBJECTS = 20_000;
    private static final int NOT_FOUND = 404;

    private final S3AsyncClient client;

    S3Store(S3AsyncClient client) {
        this.client = client;
    }

    @Override
    public List<StoreFile> list(String uri) throws IOException {
        S3Location place = S3Location.of(uri);
        List<StoreFile> files = new ArrayList<>();
        String next = null;
        do {
            String token = next;
            ListObjectsV2Response page = S3Calls.await(
                    "open: " + uri,
                    () -> client.listObjectsV2(request -> request.bucket(place.bucket())
                            .prefix(place.folder())
                            .continuationToken(token)));
            for (S3Object object : page.contents()) {
                add(object, place, files);
            }
            next = Boolean.TRUE.equals(page.isTruncated()) ? page.nextContinuationToken() : null;
        } while (next != null && files.size() < MOST_OBJECTS);
        return files.isEmpty() ? List.of(single(uri, place)) : files;
    }

    private static void add(S3Object object, S3Location place, List<StoreFile> files) {
        String path = object.key().substring(place.folder().length());
        // Consoles make objects that stand for folders.
        if (!path.isEmpty() && !path.endsWith("/")) {
            files.add(new StoreFile(path, object.size(), object.eTag()));
        }
    }

    /** Where nothing is below, the place may be an object itself. */
    private StoreFile single(String uri, S3Location place) throws IOException {
        try {
            HeadObjectResponse head = S3Calls.await(
                    "open: " + uri,
                    () -> client.headObject(
                            request -> request.bucket(place.bucket()).key(place.prefix())));
            String name = place.prefix().substring(place.prefix().lastIndexOf('/') + 1);
            return new StoreFile(name, head.contentLength(), head.eTag());
        } catch (S3Calls.StatusException refused) {
            throw refused.status() == NOT_FOUND ? new IOException("open: " + NOTHING + " " + uri) : refused;
        }
    }

    @Override
    public ReadableBytes open(String uri, StoreFile file) throws IOException {
        S3Location place = S3Location.of(uri);
        boolean isItself = place.prefix().equals(file.path()) || place.prefix().endsWith("/" + file.path());
        String below = place.folder() + file.path();
        return new S3Bytes(client, place, isItself ? place.prefix() : below, file);
    }

    @Override
    public WritableBytes create(String uri, String path) throws IOException {
        S3Location place = S3Location.of(uri);
        return new S3Upload(client, place, place.folder() + path);
    }

    @Override
    public void delete(String uri, String path) throws IOException {
        S3Location place = S3Location.of(uri);
        String key = place.folder() + path;
        S3Calls.await(
                "delete: " + place.uri(key),
                () -> client.deleteObject(
                        request -> request.bucket(place.bucket()).key(key)));
    }

    @Override
    public void close() {
        client.close();
    }
}
