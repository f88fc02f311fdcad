package dev.outpost.system.server;

import java.nio.ByteBuffer;

/** The first bytes of a client that supports TLS only up to 1.1, which clients in Java do not support any more. */
final class OldTls {
    /** The alert that says that no common version was found. */
    static final byte PROTOCOL_VERSION = 70;

    private static final short TLS_1_1 = 0x0302;
    private static final byte HANDSHAKE = 22;
    private static final byte CLIENT_HELLO = 1;
    private static final short ECDHE_ECDSA_AES_128 = (short) 0xC009;
    private static final int BODY_BYTES = 2 + 32 + 1 + 2 + 2 + 2;

    private OldTls() {}

    static byte[] hello() {
        ByteBuffer record = ByteBuffer.allocate(5 + 4 + BODY_BYTES);
        record.put(HANDSHAKE).putShort(TLS_1_1).putShort((short) (4 + BODY_BYTES));
        record.put(CLIENT_HELLO).put((byte) 0).putShort((short) BODY_BYTES);
        record.putShort(TLS_1_1).put(new byte[32]);
        record.put((byte) 0);
        record.putShort((short) 2).putShort(ECDHE_ECDSA_AES_128);
        record.put((byte) 1).put((byte) 0);
        return record.array();
    }
}
