package dev.outpost.client.group;

import dev.outpost.client.sharding.MemberProgram;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.sharding.Sharding;
import java.util.List;

/**
 * The text of a member's part of a segment: {@code add(float32[3,64], float32[]) -> float32[3,64]; %2 is shard(0) at [0, 3, 6] on [0, 1]}.
 */
final class MemberText {
    private final MemberProgram program;
    private final long[] outputs;
    private final List<Sharding> placements;

    private MemberText(MemberProgram program, long[] outputs, List<Sharding> placements) {
        this.program = program;
        this.outputs = outputs;
        this.placements = placements;
    }

    /**
     * Returns a line for each instruction. Types are those of the member's parts.
     *
     * @param outputs the ids of the segment's outputs
     * @param placements the placements of the outputs
     */
    static List<String> of(MemberProgram program, long[] outputs, List<Sharding> placements) {
        MemberText text = new MemberText(program, outputs, placements);
        return program.graph().instructions().stream().map(text::line).toList();
    }

    private String line(Instruction instruction) {
        StringBuilder line = new StringBuilder(instruction.toString());
        for (int position = 0; position < instruction.resultCount(); position++) {
            for (int output = 0; output < outputs.length; output++) {
                if (program.outputs()[output] == instruction.result(position)) {
                    line.append("; %").append(outputs[output]).append(" is ").append(placements.get(output));
                }
            }
        }
        return line.toString();
    }
}
