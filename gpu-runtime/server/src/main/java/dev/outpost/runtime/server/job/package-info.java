/** The runner of a job: a process beside the runtime that runs a user's program, and tells a control plane of it. */
package dev.outpost.runtime.server.job;
