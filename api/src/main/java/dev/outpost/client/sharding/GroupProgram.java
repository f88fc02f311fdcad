package dev.outpost.client.sharding;

import dev.outpost.sharding.GroupExchange;
import dev.outpost.sharding.Sharding;
import java.util.List;
import java.util.Optional;

/**
 * A program in the form in which the members of a group run it.
 *
 * @param members the program of each member, by rank
 * @param outputs the placements of the outputs
 * @param rebound for each input its new placement, if the program changes it
 * @param exchanges the exchanges between the members, in their order
 */
public record GroupProgram(
        List<MemberProgram> members,
        List<Sharding> outputs,
        List<Optional<Sharding>> rebound,
        List<GroupExchange> exchanges) {}
