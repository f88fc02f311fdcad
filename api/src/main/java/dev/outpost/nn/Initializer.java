package dev.outpost.nn;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/** Creates a tensor's initial values on a machine; {@link Init} has the usual ones. */
@FunctionalInterface
public interface Initializer {
    /** Creates a tensor of this shape and dtype. Random numbers come from the machine's seeded stream. */
    Tensor create(RemoteMachine machine, Shape shape, DType dtype);
}
