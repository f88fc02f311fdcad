package dev.outpost.system;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Allocates memory of a machine in pieces, because the client would refuse a single tensor that is too large. */
public final class MachineFiller {
    private static final int FLOATS = 1 << 16;

    private MachineFiller() {}

    /** Holds the given number of quarters of a MiB at the same time, and frees them; fails if the machine has no room for them. */
    public static void fill(RemoteMachine machine, int quarters) {
        try (Scope scope = machine.scope()) {
            List<Tensor> held = new ArrayList<>();
            for (int i = 0; i < quarters; i++) {
                held.add(machine.tensor(new float[FLOATS], FLOATS));
                double ignored = held.getLast().sum().itemDouble();
            }
        }
    }
}
