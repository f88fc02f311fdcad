package dev.outpost.cli.doctor;

import dev.outpost.runtime.cuda.check.CheckResult;
import java.util.List;

/** Checks the local network. The module with the commands for workers provides it; found by {@link java.util.ServiceLoader}. */
public interface LanDoctor {
    /** Sends and receives on the network for some seconds. */
    List<CheckResult> run();
}
