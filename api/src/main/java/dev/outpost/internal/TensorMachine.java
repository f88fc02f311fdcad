package dev.outpost.internal;

/** The machine of a {@link TensorDevice}, as the core knows it. */
public abstract class TensorMachine {
    /**
     * Where new tensors live. If the machine was lost, another one is started for them, where one may be.
     *
     * @hidden
     */
    protected abstract TensorDevice home();
}
