package dev.outpost.client.start;

import dev.outpost.client.profile.SessionProfile;
import java.util.function.Supplier;

/**
 * The parameters of a machine's start; a session may start a machine several times.
 *
 * @param source supplies the machine; asked on a thread of its own
 * @param view makes the view of the progress, for each start
 * @param profile makes the profile for each start; returns null if nothing is profiled
 */
public record StartSpec(MachineSource source, Supplier<StartView> view, Supplier<SessionProfile> profile) {}
