package dev.outpost.system.programs;

import dev.outpost.RemoteMachine;

/** Runs {@link ProgramTrainingTest} on a group of machines. */
class ProgramTrainingOnGroupTest extends ProgramTrainingTest {
    @Override
    RemoteMachine machine() {
        return RemoteMachine.of("mock", "A100", 2);
    }
}
