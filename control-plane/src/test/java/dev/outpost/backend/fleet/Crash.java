package dev.outpost.backend.fleet;

/** As if the process had been killed at this point: nothing that comes later is done. Loops go on after errors, but not after these. */
public final class Crash extends VirtualMachineError {
    private static final long serialVersionUID = 1;

    public Crash(String where) {
        super(where);
    }

    /** Runs the work, and tells whether it was killed on its way. */
    static boolean isKilled(Runnable work) {
        try {
            work.run();
            return false;
        } catch (Crash ignored) {
            return true;
        }
    }
}
