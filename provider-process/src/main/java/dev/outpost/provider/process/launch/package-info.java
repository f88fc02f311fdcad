/** How the process of a machine is started: with which engine, by which command. */
package dev.outpost.provider.process.launch;
