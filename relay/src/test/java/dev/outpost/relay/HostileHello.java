package dev.outpost.relay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;

/** Bytes that may or may not begin as a ClientHello, sent in pieces. */
record HostileHello(byte[] bytes, int piece) {
    static HostileHello draw(Random random, byte[] hello) {
        byte[] bytes = hello.clone();
        switch (random.nextInt(6)) {
            case 0 -> flip(random, bytes, 1 + random.nextInt(8));
            case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 2 -> bytes = noise(random);
            case 3 -> lie(random, bytes);
            case 4 -> bytes = fragmented(random, bytes);
            default -> bytes = repeated(bytes, 2 + random.nextInt(4));
        }
        return new HostileHello(bytes, 1 + random.nextInt(random.nextBoolean() ? 40 : 2000));
    }

    private static void flip(Random random, byte[] bytes, int times) {
        for (int i = 0; i < times; i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[random.nextInt(3000)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Makes the length of a record, a message or an extension larger than its content. */
    private static void lie(Random random, byte[] bytes) {
        int at = random.nextBoolean() ? 3 + random.nextInt(6) : random.nextInt(bytes.length);
        bytes[at] = (byte) 0xff;
    }

    /** The message in many small records, as the standard allows. */
    private static byte[] fragmented(Random random, byte[] hello) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int from = 5; from < hello.length; ) {
            int length = Math.min(1 + random.nextInt(20), hello.length - from);
            out.writeBytes(new byte[] {22, 3, 1, 0, (byte) length});
            out.write(hello, from, length);
            from += length;
        }
        return out.toByteArray();
    }

    private static byte[] repeated(byte[] hello, int times) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            out.writeBytes(hello);
        }
        return out.toByteArray();
    }

    void sendOn(Socket socket) throws IOException {
        for (int from = 0; from < bytes.length; from += piece) {
            socket.getOutputStream().write(bytes, from, Math.min(piece, bytes.length - from));
        }
    }
}
