// Four goroutines use a queue; what they did goes to a file that `muster check FILE` judges.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

func main() {
	out, _ := os.Create(os.Args[1])
	defer out.Close()
	fmt.Fprintln(out, `{"object":"queue"}`)
	begin := time.Now() // durations since here come from the monotonic clock
	items := make(chan int, 10000)
	var lock sync.Mutex
	record := func(process int, op, args string, act func() string) {
		start := time.Since(begin).Nanoseconds()
		result := act()
		end := time.Since(begin).Nanoseconds()
		lock.Lock()
		defer lock.Unlock()
		fmt.Fprintf(out, `{"process":%d,"op":"%s","args":[%s],"result":%s,"start":%d,"end":%d}`+"\n", process, op, args, result, start, end)
	}
	var all sync.WaitGroup
	for process := 0; process < 4; process++ {
		all.Add(1)
		go func(process int) {
			defer all.Done()
			for i := 0; i < 250; i++ {
				value := process*1000 + i
				record(process, "enqueue", fmt.Sprint(value), func() string { items <- value; return "null" })
				record(process, "dequeue", "", func() string {
					select {
					case value := <-items:
						return fmt.Sprint(value)
					default:
						return "null"
					}
				})
			}
		}(process)
	}
	all.Wait()
}
