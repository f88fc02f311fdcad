/** Recorder, ledger and session of a machine: values, order, delivery, and programs that are traced. */
package dev.outpost.client;
