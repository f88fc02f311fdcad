/** What can be set about machines that are processes. */
package dev.outpost.provider.process.config;
