package dev.outpost.protocol.bytes;

/**
 * The content of one frame: a short head and, for bulk, the data, which are not copied until the network takes them.
 *
 * @param elementBytes the size of one element of the data in bytes, for compression
 */
public record Payload(byte[] head, Body body, int elementBytes) {
    public Payload(byte[] head, Body body) {
        this(head, body, 1);
    }

    public Payload(byte[] head) {
        this(head, Slice.EMPTY);
    }

    public int length() {
        return head.length + body.length();
    }
}
