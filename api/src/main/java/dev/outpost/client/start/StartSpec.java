package dev.outpost.client.start;

import dev.outpost.client.profile.SessionProfile;
import java.util.function.Supplier;

/**
 * How a machine is started, for the first time or again.
 *
 * @param source supplies the machine; asked on a thread of its own
 * @param view shows how it comes, one for each start
 * @param profile notes what is done with it, one for each start; answers null where nobody profiles
 */
public record StartSpec(MachineSource source, Supplier<StartView> view, Supplier<SessionProfile> profile) {}
