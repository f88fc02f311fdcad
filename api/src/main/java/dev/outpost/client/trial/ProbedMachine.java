package dev.outpost.client.trial;

import dev.outpost.RemoteMachine;
import java.util.Optional;

/**
 * A machine that exchanges values with others.
 *
 * @param name what sentences call it
 * @param machine where it computes
 * @param host where the other machines find it, where that is known better than the machine itself does
 * @param memoryBytes of two of which nothing else tells which is at fault, the one with less is left out
 */
public record ProbedMachine(String name, RemoteMachine machine, Optional<String> host, long memoryBytes) {}
