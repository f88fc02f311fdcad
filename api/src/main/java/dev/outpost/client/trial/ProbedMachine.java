package dev.outpost.client.trial;

import dev.outpost.RemoteMachine;
import java.util.Optional;

/**
 * A machine that exchanges values with others.
 *
 * @param name the name in messages
 * @param machine the machine
 * @param host the address for the other machines, if it is known better than the machine itself knows it
 * @param memoryBytes the memory in bytes; of two machines that may both be at fault, the one with less memory is left out
 */
public record ProbedMachine(String name, RemoteMachine machine, Optional<String> host, long memoryBytes) {}
