package dev.outpost.serving.engine;

import dev.outpost.HostTensor;
import java.util.List;

/**
 * The answer to a call of a program.
 *
 * @param outputs the outputs of the program
 * @param calls the number of calls that were computed together, including this one
 */
public record ProgramAnswer(List<HostTensor> outputs, int calls) {
    public ProgramAnswer {
        outputs = List.copyOf(outputs);
    }
}
