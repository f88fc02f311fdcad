package dev.outpost.io;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/** Makes tensors from the bytes of files. */
final class HostTensors {
    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    private HostTensors() {}

    /** Returns the bytes that a tensor takes. Fails if the client cannot hold that many. */
    static int requireHeld(String name, TensorType type) {
        if (type.bytes() > MAX_BYTES) {
            throw new OpException(
                    "read",
                    name + ": at most " + MAX_BYTES + " bytes are held on this side, " + type + " takes "
                            + type.bytes());
        }
        return (int) type.bytes();
    }

    static HostTensor of(String name, TensorType type, byte[] bytes) {
        if (type.dtype() == DType.BOOL) {
            requireBools(name, bytes);
        }
        return HostTensor.ofBytes(type.dtype(), type.shape(), bytes);
    }

    private static void requireBools(String name, byte[] bytes) {
        for (int index = 0; index < bytes.length; index++) {
            if (bytes[index] != 0 && bytes[index] != 1) {
                throw new MalformedException(
                        name + ": element " + index + " of a bool is neither 0 nor 1, got " + (bytes[index] & 0xff));
            }
        }
    }
}
