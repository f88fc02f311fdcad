package dev.outpost.types;

/** Conversions of the two 16-bit floating formats. They round to the nearest number, and ties to even. */
public final class Half {
    private Half() {}

    public static float fromFloat16(short bits) {
        return Float.float16ToFloat(bits);
    }

    public static short toFloat16(float value) {
        return Float.floatToFloat16(value);
    }

    public static float fromBfloat16(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    public static short toBfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | 0x40);
        }
        int roundToEven = 0x7fff + ((bits >>> 16) & 1);
        return (short) ((bits + roundToEven) >>> 16);
    }
}
