/** Memory on the device: storages, what sessions may use of it, and refusals. */
package dev.outpost.runtime.session.memory;
