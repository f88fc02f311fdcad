package dev.outpost.protocol.bytes;

/**
 * The contents of one frame: a few bytes that say what it is, and, for bulk, the data, which stay where they are until
 * the network takes them.
 *
 * @param elementBytes what one element of the data takes, for whoever packs them
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
