/** Records instructions: values, the storages and handles that hold them, and segments, which go to a sink when they are sealed. */
package dev.outpost.client.record;
