package dev.outpost.backend.fleet;

/**
 * Simulates a kill of the process at this point: nothing later is done. Loops continue after other errors, but not after this
 * one.
 */
public final class Crash extends VirtualMachineError {
    private static final long serialVersionUID = 1;

    public Crash(String where) {
        super(where);
    }

    /** Runs the work, and returns whether it was killed during it. */
    static boolean isKilled(Runnable work) {
        try {
            work.run();
            return false;
        } catch (Crash ignored) {
            return true;
        }
    }
}
