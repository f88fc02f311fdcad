package dev.outpost.client.sharding;

import dev.outpost.sharding.GroupExchange;
import dev.outpost.sharding.Sharding;
import java.util.List;
import java.util.Optional;

/**
 * A program as the members of a group run it.
 *
 * @param members what each of them runs, by rank
 * @param outputs how the outputs are placed
 * @param rebound for each input how it is placed from then on, where that is not as before
 * @param exchanges between the members, in their order
 */
public record GroupProgram(
        List<MemberProgram> members,
        List<Sharding> outputs,
        List<Optional<Sharding>> rebound,
        List<GroupExchange> exchanges) {}
