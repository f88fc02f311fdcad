package dev.outpost;

import dev.outpost.client.Recorder;

/**
 * Where tensors are made that are made of no others.
 *
 * @param recorder of the machine
 */
record Home(RemoteMachine machine, Recorder recorder) {}
