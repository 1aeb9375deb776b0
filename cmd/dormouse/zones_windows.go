package main

import _ "time/tzdata" // Windows has no zones by their names, and questions about a time name the zone that they mean
