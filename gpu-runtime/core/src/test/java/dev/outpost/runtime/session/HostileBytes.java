package dev.outpost.runtime.session;

import java.util.Arrays;

/** Damages bytes in ways that find wrong assumptions of decoders. */
final class HostileBytes {
    private static final byte[] LARGEST = {-1, -1, -1, -1, -1, -1, -1, -1, 127};
    private static final byte[] OVERLONG = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1};

    private final HostileNumbers numbers;

    HostileBytes(HostileNumbers numbers) {
        this.numbers = numbers;
    }

    /** Returns a copy of the bytes that is damaged at one to three positions. */
    byte[] damage(byte[] bytes) {
        byte[] damaged = bytes;
        for (int damage = numbers.below(3); damage >= 0 && damaged.length > 0; damage--) {
            damaged = damageOnce(damaged);
        }
        return damaged;
    }

    private byte[] damageOnce(byte[] bytes) {
        int at = numbers.below(bytes.length);
        int to = at + numbers.below(bytes.length - at + 1);
        return switch (numbers.below(8)) {
            case 0, 1 -> with(bytes, at, (byte) (bytes[at] ^ 1 << numbers.below(8)));
            case 2 -> with(bytes, at, (byte) numbers.below(256));
            case 3 -> Arrays.copyOf(bytes, at);
            case 4 -> join(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, to, bytes.length));
            case 5 -> join(Arrays.copyOf(bytes, to), Arrays.copyOfRange(bytes, at, bytes.length));
            case 6 -> join(Arrays.copyOf(bytes, at), number(), Arrays.copyOfRange(bytes, at + 1, bytes.length));
            default -> join(bytes, numbers.bytes(numbers.below(9)));
        };
    }

    /** Returns the beginning of one array and the end of another. */
    byte[] splice(byte[] front, byte[] back) {
        byte[] head = Arrays.copyOf(front, numbers.below(front.length + 1));
        return join(head, Arrays.copyOfRange(back, numbers.below(back.length + 1), back.length));
    }

    private byte[] number() {
        return numbers.oneIn(2) ? LARGEST : numbers.oneIn(2) ? OVERLONG : new byte[] {-1, -1, -1, -1, 7};
    }

    private static byte[] with(byte[] bytes, int at, byte value) {
        byte[] changed = bytes.clone();
        changed[at] = value;
        return changed;
    }

    private static byte[] join(byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        byte[] joined = new byte[length];
        int position = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, joined, position, part.length);
            position += part.length;
        }
        return joined;
    }
}
