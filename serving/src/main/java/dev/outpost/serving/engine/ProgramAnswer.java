package dev.outpost.serving.engine;

import dev.outpost.HostTensor;
import java.util.List;

/**
 * The answer to a call of a program.
 *
 * @param outputs what the program answers
 * @param calls how many calls were computed together, this one included
 */
public record ProgramAnswer(List<HostTensor> outputs, int calls) {
    public ProgramAnswer {
        outputs = List.copyOf(outputs);
    }
}
