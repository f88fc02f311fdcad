/** Recorder, ledger and incarnation of a session: values, order, delivery, and programs that are traced. */
package dev.outpost.client;
