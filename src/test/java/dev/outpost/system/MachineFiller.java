package dev.outpost.system;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Takes memory of a machine in pieces: a tensor that is too large by itself the client would refuse. */
public final class MachineFiller {
    private static final int FLOATS = 1 << 16;

    private MachineFiller() {}

    /** Holds that many times a quarter of a MiB at once, and lets go of it; fails where the machine has no room for it. */
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
