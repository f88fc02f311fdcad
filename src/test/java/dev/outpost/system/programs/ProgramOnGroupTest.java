package dev.outpost.system.programs;

import dev.outpost.RemoteMachine;

/** Runs {@link ProgramTest} on a group of machines. */
class ProgramOnGroupTest extends ProgramTest {
    @Override
    RemoteMachine machine() {
        return RemoteMachine.of("mock", "A100", 2);
    }
}
