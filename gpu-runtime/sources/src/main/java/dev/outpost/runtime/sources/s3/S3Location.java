package dev.outpost.runtime.sources.s3;

import java.io.IOException;

/**
 * A location in a bucket.
 *
 * @param prefix the prefix of the keys, without a slash at its end; empty for the whole bucket
 */
record S3Location(String bucket, String prefix) {
    static final String SCHEME = "s3";

    /** Parses {@code s3://bucket/prefix}. */
    static S3Location of(String uri) throws IOException {
        String start = SCHEME + "://";
        String rest = uri.startsWith(start) ? uri.substring(start.length()) : "";
        int slash = rest.indexOf('/');
        String bucket = slash < 0 ? rest : rest.substring(0, slash);
        if (bucket.isEmpty()) {
            throw new IOException("open: expected s3://bucket/prefix, got " + uri);
        }
        String prefix = slash < 0 ? "" : rest.substring(slash + 1);
        return new S3Location(bucket, prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix);
    }

    /** Returns the prefix of the keys below this location. */
    String folder() {
        return prefix.isEmpty() ? "" : prefix + "/";
    }

    /** Returns the URI of a key for error messages. */
    String uri(String key) {
        return SCHEME + "://" + bucket + "/" + key;
    }
}
