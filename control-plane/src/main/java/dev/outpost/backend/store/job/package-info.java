/** The rows of jobs, their schedules, secrets and files. */
package dev.outpost.backend.store.job;
