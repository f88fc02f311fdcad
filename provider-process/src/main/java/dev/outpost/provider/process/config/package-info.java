/** The settings of machines that are processes. */
package dev.outpost.provider.process.config;
