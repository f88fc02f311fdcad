/** The runner of a job: a process beside the runtime that runs a user's program and reports to a control plane. */
package dev.outpost.runtime.server.job;
