package dev.outpost.provider.fleet;

/** A watch that {@link MachineFleet#watch} has started. It continues until it is closed. */
public interface FleetWatch extends AutoCloseable {
    /** Ends the watch. The listener is not called after this has returned, unless the listener itself calls it. */
    @Override
    void close();
}
