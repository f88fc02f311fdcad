package dev.outpost.internal;

/** The machine of a {@link TensorDevice}, as the core knows it. */
public abstract class TensorMachine {
    /**
     * Returns the device of new tensors. If the machine was lost and the loss policy allows it, starts another machine first.
     *
     * @hidden
     */
    protected abstract TensorDevice home();
}
