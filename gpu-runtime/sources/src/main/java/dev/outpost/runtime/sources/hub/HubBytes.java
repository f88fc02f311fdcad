package dev.outpost.runtime.sources.hub;

import dev.outpost.protocol.files.Placeholders;
import dev.outpost.protocol.files.ReadableBytes;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;

/**
 * The bytes of a file of a repository. Each read is a separate request.
 *
 * @param place the URL of the file in a commit, so its content does not change
 */
record HubBytes(HubClient client, URI place, String name, long size) implements ReadableBytes {
    private static final int PARTIAL = 206;

    @Override
    public void read(long position, byte[] target, int at, int length) throws IOException {
        if (length == 0) {
            return;
        }
        String range = "bytes=" + position + "-" + (position + length - 1);
        boolean isWhole = position == 0 && length == size;
        HttpResponse<byte[]> answer = client.get(name + ", " + range, place, isWhole ? null : range, length);
        byte[] part = answer.body();
        if (part.length != length) {
            Placeholders.require(name, part);
        }
        if (part.length != length || !isWhole && answer.statusCode() != PARTIAL) {
            throw new EOFException(name + ": " + length + " bytes were requested for " + range + ", got " + part.length
                    + " with status " + answer.statusCode());
        }
        if (!isWhole) {
            requireRange(range, answer, position, length);
        }
        System.arraycopy(part, 0, target, at, length);
    }

    /** Fails if the answer is for another range. A cache on the way may send other bytes of the same length. */
    private void requireRange(String asked, HttpResponse<byte[]> answer, long position, int length) throws IOException {
        String text =
                answer.headers().firstValue("Content-Range").orElse("none").strip();
        String beginning = "bytes " + position + "-" + (position + length - 1) + "/";
        boolean isAsked = text.regionMatches(true, 0, beginning, 0, beginning.length());
        String total = isAsked ? text.substring(beginning.length()).strip() : "";
        if (!total.equals("*") && !total.equals(Long.toString(size))) {
            throw new IOException(
                    name + ": " + asked + " of " + size + " bytes was requested, got Content-Range: " + text);
        }
    }
}
